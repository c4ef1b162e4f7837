/** The life of a payment order, as a pure table: which status may follow which. No way leads back, and three are final. */
import type { OrderStatus } from './record.js';

const moves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  RCVD: ['PDNG', 'ACTC', 'ACSP', 'ACSC', 'RJCT', 'CANC'],
  PDNG: ['ACTC', 'ACSP', 'ACSC', 'RJCT', 'CANC'],
  ACTC: ['ACSP', 'ACSC', 'RJCT', 'CANC'],
  ACSP: ['ACSC', 'RJCT', 'CANC'],
  ACSC: [],
  RJCT: [],
  CANC: [],
};

export const mayFollow = (from: OrderStatus, to: OrderStatus): boolean => moves[from].includes(to);

export const isOver = (status: OrderStatus): boolean => moves[status].length === 0;
