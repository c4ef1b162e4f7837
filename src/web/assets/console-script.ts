/**
 * Makes the calls of the console on the pages of operations. Key, token and ids stay in the storage of this tab: they are sent with a
 * call and nowhere else.
 */
export const consoleScript = `'use strict';
const GRANT = 'console grant';
const keptFor = (base) => {
  const nameOf = (known) => 'console ' + base + ' ' + known;
  return {
    kept: (known) => sessionStorage.getItem(nameOf(known)),
    recall: (known) => sessionStorage.getItem(nameOf(known)) ?? '',
    remember: (known, value) => sessionStorage.setItem(nameOf(known), value),
  };
};
const grantNow = () => JSON.parse(sessionStorage.getItem(GRANT) ?? '{}');

// Credentials go with the visitor from the page that shows them.
for (const link of document.querySelectorAll('a[data-tab]'))
  link.addEventListener('click', () => {
    const { recall, remember } = keptFor(location.origin + link.dataset.prefix);
    const given = JSON.parse(link.dataset.tab);
    // What belongs to another application would only be refused.
    if (given.CLIENT_ID !== recall('CLIENT_ID')) for (const known of ['CLIENT_SECRET', 'TOKEN']) remember(known, '');
    for (const [known, value] of Object.entries(given)) remember(known, value);
  });

// Back from the bank: if the login began in this tab, its console goes on.
const returned = new URLSearchParams(location.search);
const begun = grantNow();
if (begun.state && begun.state === returned.get('state') && location.href.startsWith(begun.redirect + '?')) {
  const [code, error] = [returned.get('code'), returned.get('error_description') ?? returned.get('error')];
  sessionStorage.setItem(GRANT, JSON.stringify({ ...begun, state: '', code, error }));
  location.replace(begun.page);
}

for (const form of document.querySelectorAll('form.console')) {
  const { method, path, prefix, media } = form.dataset;
  const base = location.origin + prefix;
  const { kept, recall, remember } = keptFor(base);
  const fields = [...form.querySelectorAll('[data-place]')];
  const says = form.querySelector('.console-says');
  const show = () => {
    for (const field of fields) if (field.dataset.known) field.value = kept(field.dataset.known) ?? field.value;
  };
  const newId = () => {
    const [a, b, c, d] = crypto.getRandomValues(new Uint32Array(4));
    const hex = [a, b, c, d].map((each) => each.toString(16).padStart(8, '0')).join('');
    return [hex.slice(0, 8), hex.slice(8, 12), '4' + hex.slice(13, 16), '8' + hex.slice(17, 20), hex.slice(20)].join('-');
  };
  const placed = (place) => fields.filter((field) => field.dataset.place === place && field.value !== '');
  const credentials = () => ({
    'Ocp-Apim-Subscription-Key': recall('SUBSCRIPTION_KEY'),
    Authorization: 'Bearer ' + recall('TOKEN'),
    'X-Request-ID': newId(),
  });
  const filled = (text) => text.replace(/\\$([A-Z_]+)/g, (_all, known) => recall(known));

  const prepare = async () => {
    for (const call of JSON.parse(form.dataset.calls)) {
      const headers = { ...(call.isOpen ? {} : credentials()) };
      for (const [name, value] of Object.entries(call.headers ?? {})) headers[name] = filled(value);
      if (call.body) headers['Content-Type'] = 'application/json';
      const answer = await fetch(base + filled(call.path), {
        method: call.method, headers, body: call.body && JSON.stringify(call.body), credentials: 'omit',
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(call.method + ' ' + call.path + ' is answered with ' + answer.status + '. ' + text);
      const found = call.finds && new RegExp('"' + call.finds.member + '":"([^"]*)"').exec(text);
      if (found) remember(call.finds.name, found[1]);
    }
    show();
  };

  const requestOf = () => {
    let address = base + path;
    for (const field of placed('param')) address = address.replace(':' + field.name, encodeURIComponent(field.value));
    const query = new URLSearchParams(placed('query').map((field) => [field.name, field.value])).toString();
    const headers = form.dataset.path.startsWith('/sandbox') ? {} : { 'X-Request-ID': newId() };
    for (const field of placed('header'))
      headers[field.name] = field.name === 'Authorization' ? 'Bearer ' + field.value.replace(/^Bearer /, '') : field.value;
    const [body] = placed('body').map((field) => field.value);
    if (body !== undefined) headers['Content-Type'] = media;
    return { address: address + (query && '?' + query), headers, body };
  };
  const quoted = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'";
  const curlOf = ({ address, headers, body }) => [
    'curl -X ' + method + ' ' + quoted(address),
    ...Object.entries(headers).map(([name, value]) => '-H ' + quoted(name + ': ' + value)),
    ...(body === undefined ? [] : ['-d ' + quoted(body)]),
  ].join(' \\\\\\n  ');
  const put = (part, text) => {
    const block = form.querySelector('[data-shown=' + part + ']');
    block.hidden = false;
    block.querySelector('code').textContent = text;
  };
  const readable = (text) => {
    try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
  };
  const cut = (text) => (text.length > 10000 ? text.slice(0, 10000) + '\\n…' : text);
  const send = async () => {
    const request = requestOf();
    put('request', curlOf(request));
    const { address, headers, body } = request;
    const answer = await fetch(address, { method, headers, body, credentials: 'omit', redirect: 'manual' });
    const text = await answer.text();
    const head = [...answer.headers].map(([name, value]) => name + ': ' + value);
    put('answer', [answer.status + ' ' + answer.statusText, ...head, '', cut(readable(text))].join('\\n'));
    says.textContent = 'Answered with ' + answer.status + '.';
    const log = form.querySelector('[data-shown=log]');
    if (log) log.hidden = false;
  };

  const typed = (name) => fields.find((field) => field.name === name && field.dataset.place === 'grant').value.trim();
  const text64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const random = () => text64(crypto.getRandomValues(new Uint8Array(32)));
  const oauth = async (place, { client, secret }, members) => {
    const encoded = (text) => encodeURIComponent(text);
    const answer = await fetch(base + '/oauth/' + place, {
      method: 'POST', credentials: 'omit', body: new URLSearchParams(members),
      headers: { Authorization: 'Basic ' + btoa(encoded(client) + ':' + encoded(secret)) },
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error('The bank refused it: ' + (said.error_description ?? said.error ?? answer.status));
    return said;
  };
  const logIn = async () => {
    if (!crypto.subtle) throw new Error('The browser makes the code challenge over https, or on this machine, alone.');
    const place = form.querySelector('[data-return]').dataset;
    const [client, secret, verifier, state] = [typed('client'), typed('secret'), random(), random()];
    const redirect = base + place.return + '/' + encodeURIComponent(client);
    const challenge = text64(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
    const { request_uri } = await oauth('par', { client, secret }, {
      client_id: client, response_type: 'code', redirect_uri: redirect, state,
      ...(place.scope && { scope: place.scope }), code_challenge: challenge, code_challenge_method: 'S256',
    });
    const page = location.href.split('#')[0] + '#console';
    sessionStorage.setItem(GRANT, JSON.stringify({ client, secret, verifier, state, redirect, page }));
    location.assign(base + '/oauth/authorize?' + new URLSearchParams({ client_id: client, request_uri }));
  };
  const redeem = async () => {
    const { code, error, client, secret, verifier, redirect } = grantNow();
    sessionStorage.removeItem(GRANT);
    if (!code) throw new Error('The bank sent no code: ' + error);
    const { access_token } = await oauth('token', { client, secret }, {
      grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier,
    });
    remember('TOKEN', access_token);
    show();
  };

  const work = (doing, done) => async (event) => {
    event?.preventDefault();
    says.textContent = 'Asking …';
    try {
      await doing();
      if (done) says.textContent = done;
    } catch (error) {
      says.textContent = error.message;
    }
  };
  for (const field of fields)
    if (field.dataset.known) field.addEventListener('input', () => remember(field.dataset.known, field.value));
  const key = fields.find((field) => field.dataset.known === 'SUBSCRIPTION_KEY');
  if (key && !recall('SUBSCRIPTION_KEY')) remember('SUBSCRIPTION_KEY', key.value);
  form.addEventListener('submit', work(send));
  const press = (act, doing) => form.querySelector('[data-act=' + act + ']')?.addEventListener('click', doing);
  press('prepare', work(prepare, 'Filled in.'));
  press('login', work(logIn, 'To the bank …'));
  show();
  form.hidden = false;
  if (begun.state === '' && begun.page.split('#')[0] === location.href.split('#')[0]) {
    form.scrollIntoView();
    void work(redeem, 'Logged in. The token is filled in.')();
  }
}
`;
