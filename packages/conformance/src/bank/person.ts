/** The account holder, who gives tokens and decides about consents: in person, by the controls of a sandbox, or not at all. */
import { NotRun } from '../verdict.js';
import type { Application } from './credentials.js';
import type { Http } from './http.js';

export type Decision = 'approve' | 'reject' | 'revoke';

export interface Staged {
  readonly id: string;
  /** Where the account holder decides. */
  readonly address: string | undefined;
}

export interface Person {
  token(application: Application): Promise<string>;
  decide(consent: Staged, decision: Decision): Promise<void>;
  /** An application that is notified at an address. */
  register(webhook: string): Promise<Application>;
}

const readyToken = ({ accessToken, clientId }: Application): string => {
  if (accessToken === undefined) throw new NotRun(`there is no access token of ${clientId}`);
  return accessToken;
};

const noWebhook = async (): Promise<never> => {
  throw new NotRun('the credentials have no webhook');
};

/** Only what is in the file. */
export const absentPerson: Person = {
  token: async (application) => readyToken(application),
  decide: async () => {
    throw new NotRun('there is no way to get the decision of an account holder (--approve manual)');
  },
  register: noWebhook,
};

const words: Readonly<Record<Decision, string>> = {
  approve: 'Approve',
  reject: 'Refuse',
  revoke: 'Withdraw',
};

/** `ask` shows a text and waits for the answer. */
export const presentPerson = (ask: (text: string) => Promise<void>): Person => ({
  token: async (application) => readyToken(application),
  decide: async ({ id, address }, decision) => {
    const place = decision === 'revoke' ? 'on the pages of the bank' : `at ${address ?? 'the bank'}`;
    await ask(`${words[decision]} the consent ${id} ${place}, then press Enter: `);
  },
  register: noWebhook,
});

/** By `/sandbox/tokens` and `/sandbox/consents/{id}/decision`, which only a sandbox has. */
export const sandboxPerson = (http: Http, username: string): Person => {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const { status, json } = await http.send({
      method: 'POST',
      path,
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    if (status !== 200 && status !== 201)
      throw new NotRun(`the control ${path.replace(/[0-9a-f-]{36}/, '{id}')} answered ${status}`);
    return json;
  };
  return {
    token: async ({ clientId }) => {
      const made = (await post('/sandbox/tokens', { psu: username, application: clientId })) as Record<
        string,
        string
      >;
      return made.access_token ?? '';
    },
    decide: async ({ id }, decision) => {
      await post(`/sandbox/consents/${id}/decision`, { decision });
    },
    register: async (webhook) =>
      (await post('/sandbox/applications', { name: 'Conformance kit', webhook })) as Application,
  };
};
