/**
 * Makes the calls of the console on the pages of operations. Key, token and ids stay in the storage of this tab: they are sent with a
 * call and nowhere else.
 */
export const consoleScript = `'use strict';
for (const form of document.querySelectorAll('form.console')) {
  const { method, path, prefix, media } = form.dataset;
  const base = location.origin + prefix;
  const fields = [...form.querySelectorAll('[data-place]')];
  const says = form.querySelector('.console-says');
  const nameOf = (known) => 'console ' + base + ' ' + known;
  const recall = (known) => sessionStorage.getItem(nameOf(known)) ?? '';
  const remember = (known, value) => sessionStorage.setItem(nameOf(known), value);
  const show = () => {
    for (const field of fields) if (field.dataset.known) field.value = recall(field.dataset.known) || field.value;
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
  };

  const work = (doing) => async (event) => {
    event.preventDefault();
    says.textContent = 'Asking …';
    try {
      await doing();
      if (doing === prepare) says.textContent = 'Filled in.';
    } catch (error) {
      says.textContent = error.message;
    }
  };
  for (const field of fields)
    if (field.dataset.known) field.addEventListener('input', () => remember(field.dataset.known, field.value));
  const key = fields.find((field) => field.dataset.known === 'SUBSCRIPTION_KEY');
  if (key && !recall('SUBSCRIPTION_KEY')) remember('SUBSCRIPTION_KEY', key.value);
  form.addEventListener('submit', work(send));
  form.querySelector('button[type=button]')?.addEventListener('click', work(prepare));
  show();
  form.hidden = false;
}
`;
