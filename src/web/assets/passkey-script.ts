/**
 * Asks the browser for a passkey when a form with such a request is sent, and sends the answer with it. The only thing on the pages of
 * account holders that needs a script; the page offers other ways beside it.
 */
export const passkeyScript = `'use strict';
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
const toText = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const withBytes = (list) => (list ?? []).map((each) => ({ ...each, id: toBytes(each.id) }));
const optionsOf = (request) => {
  const options = { ...request, challenge: toBytes(request.challenge) };
  if (request.user) options.user = { ...request.user, id: toBytes(request.user.id) };
  if (request.excludeCredentials) options.excludeCredentials = withBytes(request.excludeCredentials);
  if (request.allowCredentials) options.allowCredentials = withBytes(request.allowCredentials);
  return options;
};
const answerOf = ({ id, type, response }) => {
  const { clientDataJSON, authenticatorData, signature, userHandle, attestationObject } = response;
  const given = { clientDataJSON, authenticatorData, signature, userHandle, attestationObject };
  const texts = Object.entries(given).flatMap(([name, bytes]) => (bytes ? [[name, toText(bytes)]] : []));
  const parts = { ...Object.fromEntries(texts), transports: response.getTransports?.() };
  return JSON.stringify({ id, rawId: id, type, clientExtensionResults: {}, response: parts });
};
for (const field of document.querySelectorAll('input[data-request]')) {
  const says = field.form.querySelector('[data-failed]');
  const request = JSON.parse(field.dataset.request);
  field.form.addEventListener('submit', async (event) => {
    const button = event.submitter;
    if (field.value !== '' || (button?.name && button.value !== 'approve')) return;
    event.preventDefault();
    says.textContent = '';
    try {
      const publicKey = optionsOf(request);
      const { credentials } = navigator;
      const given = await (request.user ? credentials.create({ publicKey }) : credentials.get({ publicKey }));
      field.value = answerOf(given);
    } catch {
      says.textContent = says.dataset.failed;
      return;
    }
    field.form.requestSubmit(button);
  });
}
`;
