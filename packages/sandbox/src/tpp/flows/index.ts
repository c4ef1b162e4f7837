/** The three flows, in the order of the start page. */
import type { FlowId } from '../walk.js';
import { accounts } from './accounts.js';
import type { Flow } from './flow.js';
import { funds } from './funds.js';
import { payment } from './payment.js';

export const flows: readonly Flow[] = [funds, accounts, payment];

const byId: Readonly<Record<FlowId, Flow>> = { funds, accounts, payment };

export const flowOf = (id: FlowId): Flow => byId[id];
