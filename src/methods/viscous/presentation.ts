import { liquidStages } from '../../flow/liquid/stage-names.ts';
import type { Presentation } from '../presentation.ts';

export const presentation: Presentation = {
  look: 'surface',
  stages: { ...liquidStages, viscosity: 'viscosity and pressure' },
};
