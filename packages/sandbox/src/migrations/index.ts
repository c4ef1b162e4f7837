/** The tables of the sandbox, in the order in which they came. */
import { details } from './details.js';
import { developers } from './developers.js';
import { holders } from './holders.js';
import { living } from './living.js';
import { passkeys } from './passkeys.js';
import { phone } from './phone.js';
import { tables } from './tables.js';
import { wishes } from './wishes.js';

export const sandboxMigrations = [
  tables,
  living,
  phone,
  developers,
  wishes,
  passkeys,
  holders,
  details,
] as const;
