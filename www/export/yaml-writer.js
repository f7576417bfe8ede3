/** The one function of the YAML library that exports need, in a part of its own. */
export { stringify } from 'yaml';
