/** Finds what must never be in a log or metric: every secret of the demo bank, and anything that looks like one. */
import { isValidIBAN } from 'ibantools';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';

const known = [
  ...demoApplications.flatMap((each) => [each.subscriptionKey, each.secondaryKey, each.clientSecret]),
  ...demoPsus.flatMap((psu) => [
    psu.password,
    psu.name,
    ...psu.accounts.flatMap((each) => [each.iban, each.bban, each.msisdn, each.cardNumber]),
  ]),
].filter((each) => each !== null);

const passesLuhn = (digits: string): boolean => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};

export const leaksIn = (text: string): string[] => {
  const ibans = [...text.matchAll(/\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b/g)]
    .map(([found]) => found)
    .filter((found) => isValidIBAN(found));
  const cards = [...text.matchAll(/(?<![\w.-])\d{15,19}(?![\w.-])/g)]
    .map(([found]) => found)
    .filter(passesLuhn);
  const tokens = [...text.matchAll(/\beyJ[\w-]{10,}/g)].map(([found]) => found.slice(0, 20));
  const secrets = known.filter((secret) => text.includes(secret));
  return [...secrets, ...ibans, ...cards, ...tokens];
};
