/** Validates a value against the contract's ATM: nothing is coerced, nothing is added, all faults are reported. */
import { Ajv, type ErrorObject } from 'ajv';
import { isUuid } from '../lib/id.js';
import { AtmSchema } from './atm.js';

/** Something about one member: `address.country`, `atmServices[2]`; `record` for the whole. */
export interface Finding {
  readonly field: string;
  readonly reason: string;
}

// Union types are how OpenAPI 3.1 writes "nullable"; ajv's strict mode needs this option for them.
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
ajv.addFormat('uuid', isUuid);
const validate = ajv.compile(AtmSchema);

/** `/address/country` to `address.country`, `/atmServices/2` to `atmServices[2]`. */
const fieldOf = (error: ErrorObject): string => {
  const parts = error.instancePath.split('/').slice(1);
  const extra: unknown = error.params.missingProperty ?? error.params.additionalProperty;
  if (typeof extra === 'string') parts.push(extra);
  const path = parts.reduce((all, part) => {
    if (/^\d+$/.test(part)) return `${all}[${part}]`;
    return all === '' ? part : `${all}.${part}`;
  }, '');
  return path === '' ? 'record' : path;
};

const reasonOf = (error: ErrorObject): string => {
  switch (error.keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not a member of the contract';
    case 'maxLength':
      return `is longer than ${String(error.params.limit)} characters`;
    case 'minLength':
      return 'is empty';
    case 'enum':
      return 'is not one of the values of the contract';
    default:
      return error.message ?? 'is not valid';
  }
};

/** The faults of a value; none when it is an ATM of the contract. */
export const atmFaults = (value: unknown): Finding[] => {
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => ({ field: fieldOf(error), reason: reasonOf(error) }));
};
