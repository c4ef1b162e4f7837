/** A bank whose terms each test decides, and which remembers what it was asked and sent. */
import type { Bank } from '../../src/bank/bank.js';
import type {
  PaymentInstruction,
  PaymentProgress,
  TransferQuestion,
  TransferTerms,
} from '../../src/bank/payments.js';
import { bankWith } from '../bank/banks.js';

export const cents = (amountMinor: number, currency = 'EUR') => ({ currency, amountMinor });
export const free: TransferTerms = { faults: {}, charge: cents(0), quote: null };

export const personalBank = () => {
  const asked: TransferQuestion[] = [];
  const sent: PaymentInstruction[] = [];
  const accounts = bankWith({}).accountsOf;
  let say: (question: TransferQuestion) => TransferTerms | Promise<TransferTerms> = () => free;
  let listed: Bank['accountsOf'] = accounts;
  const enough: Bank['hasFunds'] = async () => true;
  let funds = enough;
  const execute = async (instruction: PaymentInstruction): Promise<PaymentProgress> => {
    sent.push(instruction);
    return { status: 'ACSC' };
  };
  const bank = bankWith({
    termsFor: async (question) => {
      asked.push(question);
      return say(question);
    },
    accountsOf: (id) => listed(id),
    hasFunds: (question) => funds(question),
    payments: { kind: 'remote', execute, find: async () => undefined },
  });
  return {
    bank,
    asked,
    sent,
    says: (answer: typeof say) => {
      say = answer;
    },
    lists: (answer: Bank['accountsOf']) => {
      listed = answer;
    },
    covers: (answer: Bank['hasFunds']) => {
      funds = answer;
    },
    begin: () => {
      funds = enough;
      asked.length = 0;
      sent.length = 0;
      say = () => free;
      listed = accounts;
    },
  };
};
