/** What a scenario may hold. */
import scenario from 'slicewise/schema/scenario.json' with { type: 'json' };
import { OneSchema } from './schema.js';

export const schemas = new OneSchema(scenario);
