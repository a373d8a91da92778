/**
 * A scene that says the least: one second in a unit cube, in cells of a tenth, and what is added or said
 * otherwise.
 */
export function composeUnitScene<T extends object>(method: string, more: T) {
  const domain = { min: [0, 0, 0], max: [1, 1, 1] };
  return { version: 1, method, duration: 1, domain, resolution: 0.1, ...more };
}
