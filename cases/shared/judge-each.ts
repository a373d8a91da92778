/** Referees that judge the members of a list, one after the other, on the same threads and heap. */
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

/** The `run` of such a case: a member's name is told as progress before it is judged. */
export function judgeEach<T>(
  members: readonly T[],
  nameOf: (member: T) => string,
  judge: (member: T, resources: Resources) => readonly RefereeRow[],
): RefereeCase['run'] {
  return async ({ createResources, note }) => {
    const resources = await createResources();
    return members.flatMap((member) => {
      note(nameOf(member));
      return judge(member, resources);
    });
  };
}
