/** Defects in every operation. */
import type { Answer } from '../contract.js';
import { answering, type Defect } from './defect.js';

export const generalDefects = {
  'health-in-other-words': {
    title: 'the health is told in words of its own',
    spoil: answering('ping', () => ({ status: 'UP' }) as unknown as Answer<'ping'>),
  },
  'nothing-checked': {
    title: 'a question that does not fit the contract is answered with 500',
    spoil: () => ({}),
    checksNothing: true,
  },
} as const satisfies Record<string, Defect>;
