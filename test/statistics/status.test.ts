/** The status page and its feeds: what operators announce, as everybody sees it. */
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, jsonOf, runCommand } from '../cli/program.js';
import { useService, withStore } from '../support/use-service.js';

afterAll(cleanUp);

describe('the status of the interface', () => {
  const service = useService();
  const env = () => ({ DATABASE_URL: service().databaseUrl });
  const run = (...args: string[]) => runCommand(args, { env: env() });
  const read = async (path: string, lang = 'en'): Promise<string> => {
    const answer = await fetch(`${service().url}${path}`, { headers: { 'Accept-Language': lang } });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  const state = async () => JSON.parse(await read('/status.json')) as Record<string, unknown>;
  const texts = ['--el', 'Αργές <b>απαντήσεις</b>', '--en', 'Slow <b>answers</b>'];

  it('is up if nothing else was said', async () => {
    expect(await state()).toEqual({ state: 'up', plannedDowntimes: [], incidents: [] });
    expect(await read('/status')).toContain('The interface works.');
    expect(await read('/status', 'el')).toContain('Η διεπαφή λειτουργεί.');
    expect(await read('/status.atom')).toContain('<updated>1970-01-01T00:00:00.000Z</updated>');
  });

  it('tells of an incident from its first word to its last, as text', async () => {
    const { id } = jsonOf<{ id: string }>(await run('incident', 'open', ...texts, '--json'));
    expect(await state()).toMatchObject({ state: 'incident', incidents: [{ id, to: null }] });
    const page = await read('/status');
    expect(page).toContain('There is an incident.');
    expect(page).toContain('Slow &lt;b>answers&lt;/b>');
    expect(await read('/status', 'el')).toContain('Αργές &lt;b>απαντήσεις');
    expect(await read('/status.atom')).toContain('Slow &lt;b&gt;answers&lt;/b&gt;');
    expect((await run('incident', 'close', id, '--el', 'Τέλος', '--en', 'Over')).code).toBe(0);
    expect(await state()).toMatchObject({
      state: 'up',
      incidents: [{ id, updates: [{}, { text: { en: 'Over' } }] }],
    });
    const again = await run('incident', 'update', id, ...texts);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('no incident') });
  });

  it('shows planned downtime with its notice, and takes back what is cancelled', async () => {
    const from = new Date(Date.now() + 3 * 86_400_000 + 60_000);
    const to = new Date(from.getTime() + 3_600_000);
    const window = ['--from', from.toISOString(), '--to', to.toISOString()];
    const inverted = await run(
      'downtime',
      'announce',
      '--from',
      to.toISOString(),
      '--to',
      from.toISOString(),
      ...texts,
    );
    expect(inverted).toMatchObject({ code: 1, stderr: expect.stringContaining('ends before it begins') });
    const { id } = jsonOf<{ id: string }>(await run('downtime', 'announce', ...window, ...texts, '--json'));
    expect(await read('/status')).toContain('Announced 3 days before it begins.');
    expect(await state()).toMatchObject({ state: 'up', plannedDowntimes: [{ id, cancelledAt: null }] });
    service().clock.advance(3 * 86_400_000 + 120_000);
    expect(await state()).toMatchObject({ state: 'planned-downtime' });
    service().clock.advance(-3 * 86_400_000 - 120_000);
    expect((await run('downtime', 'cancel', id)).code).toBe(0);
    expect(await read('/status')).toContain('Cancelled');
    expect((await run('downtime', 'cancel', id)).code).toBe(1);
  });

  it('leaves a row in the audit log for each word', async () => {
    const rows = await withStore(service(), (db) =>
      db.all<{ act: string }>('select act from audit_log order by position'),
    );
    const acts = rows.map(({ act }) => act).filter((act) => /^(incident|downtime)\./.test(act));
    expect(acts).toEqual(['incident.open', 'incident.close', 'downtime.announce', 'downtime.cancel']);
  });
});
