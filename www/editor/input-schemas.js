/** What the input may hold. */
import request from 'slicewise/schema/plan-request.json' with { type: 'json' };
import kubernetes from './kubernetes.json' with { type: 'json' };
import { ObjectSchemas } from './schema.js';

export const schemas = new ObjectSchemas(kubernetes, request);
