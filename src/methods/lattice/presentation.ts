import { liquidStages } from '../../flow/liquid/stage-names.ts';
import type { Presentation } from '../presentation.ts';

export const presentation: Presentation = { look: 'water', stages: liquidStages };
