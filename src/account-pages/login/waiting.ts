/** An authorization that waits for the login of its account holder. */
import type { Client, Interaction, Provider } from 'oidc-provider';
import type { PageRequest } from '../../http/pages.js';
import { paramsOf } from '../../oauth/authorization-details.js';
import type { LoginFailure } from './login-texts.js';

/** In the browser that began it. */
export interface Waiting {
  readonly request: PageRequest;
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly client: Client;
}

export const isOver = (error: unknown): boolean => (error as Error).name === 'SessionNotFound';

export const waitingFor = async (
  current: () => Promise<Provider>,
  request: PageRequest,
): Promise<Waiting | Exclude<LoginFailure, 'refused' | 'unavailable'>> => {
  const provider = await current();
  const { request: raw, response } = request.raw;
  const interaction = await provider.interactionDetails(raw, response).catch((error: Error) => {
    if (isOver(error)) return undefined;
    throw error;
  });
  if (!interaction || interaction.uid !== request.params.uid) return 'expired';
  const client = await provider.Client.find(paramsOf(interaction).client_id ?? '');
  // It was known when this began: suspended since.
  return client ? { request, provider, interaction, client } : 'suspended';
};
