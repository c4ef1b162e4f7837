/** Characters that show nothing: wherever a person reads a text of a third party, they are shown as what they are. */
import { describe, expect, it } from 'vitest';
import { undisguised } from '../../../src/lib/format/undisguised.js';
import { addRequest, paymentDetails, Visitor } from '../../account-pages/approve-support.js';
import { enter } from '../../account-pages/dashboard/support.js';
import { Browser, discover, startAuthorization } from '../../oauth/provider-journey.js';
import { FINANCE } from '../../support/operations.js';
import { useService, withStore } from '../../support/use-service.js';

const invisible = [
  ...[
    '\u0000',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u1160',
    '\u17b4',
    '\u180b',
    '\u180e',
  ],
  ...[
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u200f',
    '\u2028',
    '\u2029',
    '\u202a',
    '\u202e',
    '\u2060',
    '\u2064',
    '\u2066',
  ],
  ...[
    '\u2069',
    '\u206a',
    '\u2800',
    '\u3164',
    '\ue000',
    '\ufe00',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\ufff9',
    '\uffff',
  ],
  ...['\u{1d173}', '\u{e0001}', '\u{e0041}', '\u{e01ef}', '\u{f0000}', '\ud800'],
];

const service = useService();
/** Everything that JSON and a store can carry. */
const hostile = `A${invisible.filter((each) => each !== '\u0000' && each !== '\ud800').join('a')}B`;

describe('security F9: invisible characters', () => {
  it.each(invisible.map((each) => [each.codePointAt(0)?.toString(16), each]))(
    'security F9: U+%s is shown',
    (_code, each) => {
      expect(undisguised(`a${each}b`)).toBe('a\ufffdb');
    },
  );

  it('security F9: letters of every kind, accents and blanks stay', () => {
    const text = 'Ελένη Ά. Παπαδοπούλου-Müller & Söhne №7 – 日本 العربية हिन्दी e\u0301 100\u00a0€ 👍';
    expect(undisguised(text)).toBe(text);
  });

  it('security F9: names and messages on the approval page, the dashboard and the login, and on paper', async () => {
    await withStore(service(), async (db) => {
      await db.run('update applications set name = ? where client_id = ?', [hostile, FINANCE]);
      await db.run(
        'update tpps set name = ? where id = (select tpp_id from applications where client_id = ?)',
        [hostile, FINANCE],
      );
    });
    const details = {
      ...paymentDetails,
      creditorName: hostile,
      remittanceInformation: hostile,
      endToEndId: hostile,
    };
    const id = await addRequest(service(), { details });
    const approval = await new Visitor(service()).open(id);
    expect(approval.text).toContain('value="begin"');
    const dashboard = await (await enter(service())).get('/dashboard');
    const started = await startAuthorization(service(), await discover(service()));
    const login = await new Browser(service().url).visit(started.url.href);
    for (const { text } of [approval, dashboard, login.page]) {
      expect(text).toContain('A\ufffda\ufffd');
      for (const each of invisible.filter((one) => one !== '\u0000')) expect(text.includes(each)).toBe(false);
    }
  });
});
