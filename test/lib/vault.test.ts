/** What is sealed opens only under its own secret, unchanged; and a secret can be replaced without losing anything. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretPurposes, Vault } from '../../src/lib/vault.js';

const current = 'current-secret-of-at-least-32-characters';
const previous = 'previous-secret-of-at-least-32-characters';
const oldest = 'oldest-secret-of-at-least-32-characters-too';
const PLACE = 'signing-key:1';
const CARD = '4111111111111111';

/** The sealed text with one of its parts changed. */
const withPart = (sealed: string, part: number, change: (text: string) => string): string =>
  sealed
    .split('.')
    .map((text, index) => (index === part ? change(text) : text))
    .join('.');

const flipped = (text: string, byte: number): string => {
  const bytes = Buffer.from(text, 'base64url');
  const at = byte % bytes.length;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes.toString('base64url');
};

describe('sealing', () => {
  it('gives every text back, and never the same sealed text twice', () => {
    const vault = new Vault(current);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const [first, second] = [vault.seal(text, PLACE), vault.seal(text, PLACE)];
        expect(vault.open(first, PLACE)).toBe(text);
        expect(vault.open(second, PLACE)).toBe(text);
        expect(first).not.toBe(second);
      }),
    );
  });

  it('hides the text', () => {
    const sealed = new Vault(current).seal('{"kty":"EC","d":"very-secret"}', PLACE);
    const bytes = Buffer.concat(sealed.split('.').map((part) => Buffer.from(part, 'base64url')));
    expect(sealed).not.toContain('secret');
    expect(bytes.includes('secret')).toBe(false);
  });

  it('notices a change of any byte of nonce, content or tag', () => {
    const vault = new Vault(current);
    const sealed = vault.seal('what must not change', PLACE);
    for (const part of [2, 3]) {
      const length = Buffer.from(sealed.split('.')[part] ?? '', 'base64url').length;
      for (let byte = 0; byte < length; byte += 1)
        expect(() =>
          vault.open(
            withPart(sealed, part, (text) => flipped(text, byte)),
            PLACE,
          ),
        ).toThrow();
    }
  });

  it('notices content that was cut, to whatever length', () => {
    const vault = new Vault(current);
    const sealed = vault.seal('what must not be cut', PLACE);
    const bytes = Buffer.from(sealed.split('.')[3] ?? '', 'base64url');
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = withPart(sealed, 3, () => bytes.subarray(0, length).toString('base64url'));
      expect(() => vault.open(cut, PLACE)).toThrow();
    }
  });

  it('accepts no authentication tag shorter than it makes', () => {
    // Node takes tags of 4 bytes unless it is told otherwise; one in four thousand million would then fit by chance.
    const vault = new Vault(current);
    const [version = '', name = '', nonce = ''] = vault.seal('', PLACE).split('.');
    for (const length of [4, 8, 12, 13, 14, 15]) {
      const short = [version, name, nonce, Buffer.alloc(length).toString('base64url')].join('.');
      expect(() => vault.open(short, PLACE)).toThrow(/tag/i);
    }
  });

  it.each(['', 'v1', 'v1.x', 'v1.x.y.z', 'plain text', '....'])('opens nothing that is %j', (text) => {
    expect(() => new Vault(current).open(text, PLACE)).toThrow();
  });

  it('moves nothing from one sealed text to another', () => {
    const vault = new Vault(current);
    const [a, b] = [vault.seal('first', PLACE), vault.seal('second', PLACE)];
    expect(() =>
      vault.open(
        withPart(a, 3, () => b.split('.')[3] ?? ''),
        PLACE,
      ),
    ).toThrow();
    expect(() =>
      vault.open(
        withPart(a, 2, () => b.split('.')[2] ?? ''),
        PLACE,
      ),
    ).toThrow();
  });
});

describe('a replaced secret', () => {
  it('opens what the one before it sealed, and seals under the new one', () => {
    const before = new Vault(previous);
    const rotated = new Vault(`${current},${previous}`);
    const after = new Vault(current);
    expect(rotated.open(before.seal('old', PLACE), PLACE)).toBe('old');
    expect(after.open(rotated.seal('new', PLACE), PLACE)).toBe('new');
    expect(() => before.open(rotated.seal('new', PLACE), PLACE)).toThrow(
      'TRAPEZA_SECRET that is not configured',
    );
  });

  it('that is gone opens nothing any more, and says what is missing', () => {
    const sealed = new Vault(previous).seal('old', PLACE);
    expect(() => new Vault(current).open(sealed, PLACE)).toThrow('TRAPEZA_SECRET that is not configured');
  });

  it('does not tell the secret by the name it seals under', () => {
    const sealed = new Vault(current).seal('x', PLACE);
    expect(sealed).not.toContain(current.slice(0, 8));
  });

  it.each(secretPurposes)('verifies what any listed version has made: %s', (purpose) => {
    const versions = [current, previous, oldest];
    for (const made of versions) {
      const mark = new Vault(made).mark(purpose, CARD);
      for (const listed of [versions, [...versions].reverse(), [oldest, current, previous]]) {
        const vault = new Vault(listed.join());
        expect(vault.isMark(purpose, CARD, mark)).toBe(true);
        expect(vault.marks(purpose, CARD)).toContain(mark);
        expect(vault.mark(purpose, CARD)).toBe(new Vault(listed[0] ?? '').mark(purpose, CARD));
        expect(vault.keys(purpose)).toHaveLength(3);
      }
      const others = versions.filter((each) => each !== made).join();
      expect(new Vault(others).isMark(purpose, CARD, mark)).toBe(false);
    }
  });

  it('whose key was kept verifies on, and never makes', () => {
    const vault = new Vault(current);
    vault.remember('card-number', new Vault(`${oldest},${previous}`).keys('card-number'));
    for (const made of [current, previous, oldest])
      expect(vault.marks('card-number', CARD)).toContain(new Vault(made).mark('card-number', CARD));
    expect(vault.mark('card-number', CARD)).toBe(new Vault(current).mark('card-number', CARD));
    expect(vault.marks('form-token', CARD)).toHaveLength(1);
  });

  it('is told by its fingerprint, also of a text that it does not open', () => {
    const sealed = new Vault(previous).seal('x', PLACE);
    expect(new Vault(current).sealedUnder(sealed)).toBe(new Vault(previous).fingerprints[0]);
    expect(new Vault(current).canOpen(sealed, PLACE)).toBe(false);
    expect(new Vault(`${current},${previous}`).canOpen(sealed, PLACE)).toBe(true);
    expect(new Vault(`${current},${previous}`).canOpen(sealed, 'another place')).toBe(false);
  });
});

describe('the hash of a card number', () => {
  it('is stable, keyed, and not reversible by trying all numbers without the secret', () => {
    const hash = (secret: string): string => new Vault(secret).mark('card-number', CARD);
    expect(hash(current)).toBe(hash(current));
    expect(hash(current)).not.toBe(hash(previous));
    expect(hash(current)).toMatch(/^[\w-]{43}$/);
  });

  it('is another one for each purpose', () => {
    const marks = secretPurposes.map((purpose) => new Vault(current).mark(purpose, CARD));
    expect(new Set(marks).size).toBe(secretPurposes.length);
  });
});
