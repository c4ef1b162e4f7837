/** Where a code went is shown, but never a whole number or address. */
import { expect, it } from 'vitest';
import { masked } from '../../src/psu/destination.js';

it.each([
  ['*** *** 4711', '*** *** 4711'],
  ['+30 690 000 4711', '+** *** *** 4711'],
  ['00306900004711', '**********4711'],
  ['+３０６９００００４７１１', '+********4711'],
  ['eleni.p@example.gr', 'e***@example.gr'],
  ['e***@example.gr', 'e***@example.gr'],
  ['Ελένη@example.gr', 'Ε***@example.gr'],
  ['Pixel 9', 'Pixel 9'],
  ['a\u202eb', 'a\ufffdb'],
])('%s is shown as %s', (sentTo, shown) => {
  expect(masked(sentTo)).toBe(shown);
});
