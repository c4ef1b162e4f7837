/** The optional headers of an operation by what they are for, so that the required ones are not buried. */
import type { Field, Operation } from '../../../http/operation.js';

interface HeaderGroup {
  /** After the number of its headers. */
  readonly title: string;
  readonly purpose?: string;
  readonly fields: readonly Field[];
}

const signature: ReadonlySet<string> = new Set([
  ...['Digest', 'Signature', 'TPP-Signature-Certificate', 'Content-Digest', 'Signature-Input'],
]);

const kindOf = (name: string): 'signature' | 'person' | 'other' => {
  if (signature.has(name)) return 'signature';
  return name.startsWith('PSU-') ? 'person' : 'other';
};

export const headerGroups = ({ headers }: Operation): readonly HeaderGroup[] => {
  const optional = headers.filter(({ required }) => !required);
  const of = (kind: ReturnType<typeof kindOf>) => optional.filter(({ name }) => kindOf(name) === kind);
  const groups: readonly HeaderGroup[] = [
    { title: 'optional', fields: of('other') },
    {
      title: 'for a signature',
      purpose:
        'For a signed request. Digest, Signature and TPP-Signature-Certificate go together; by RFC 9421 also Signature-Input, and Content-Digest may stand for Digest.',
      fields: of('signature'),
    },
    {
      title: 'about the account holder',
      purpose: 'What you know of the request that the account holder made to you, if there was one.',
      fields: of('person'),
    },
  ];
  return groups.filter(({ fields }) => fields.length > 0);
};
