/** All mutants, by subject. */
import { consents } from './consents.js';
import { core } from './core.js';
import { funds } from './funds.js';
import { money } from './money.js';
import { outside } from './outside.js';
import { payments } from './payments.js';
import { requests } from './requests.js';
import { retention } from './retention.js';
import { signatures } from './signatures.js';
import { tokens } from './tokens.js';

export const mutants = [
  ...money,
  ...payments,
  ...consents,
  ...funds,
  ...core,
  ...requests,
  ...tokens,
  ...signatures,
  ...retention,
  ...outside,
];
