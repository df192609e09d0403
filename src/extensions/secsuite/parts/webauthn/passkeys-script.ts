// The script of the pages where people sign in and manage their passkeys. Without it, both pages work as forms.
// It is JavaScript for browsers: the text is served as it stands here.
export const passkeyScript = `
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
const ids = (list) => list.map((one) => ({ ...one, id: bytes(one.id) }));

async function send(url, body, nonce) {
  const headers = { 'Content-Type': 'application/json', ...(nonce && { 'X-WP-Nonce': nonce }) };
  const credentials = nonce ? 'same-origin' : 'omit';
  const response = await fetch(url, { method: 'POST', headers, credentials, body: JSON.stringify(body) });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message || 'The site did not answer. Try again.');
  return answer;
}

const next = (answer) => Object.values(answer._links)[0][0].href;

function say(place, error) {
  if (error && (error.name === 'AbortError' || error.name === 'NotAllowedError')) {
    place.textContent = error.name === 'AbortError' ? '' : 'No passkey was used. Try again, or go on without one.';
    return;
  }
  const words = {
    InvalidStateError: 'This device has a passkey for your account already.',
    SecurityError: 'Passkeys do not work at this URL. Open the site at its public URL, or go on without a passkey.',
  };
  place.textContent = words[error.name] || error.message;
}

function signingIn(part) {
  const form = part.closest('form');
  const button = part.querySelector('button');
  const place = part.querySelector('[role=alert]');
  const name = form.elements.log;
  let waiting;
  async function verify(user, more) {
    waiting?.abort();
    const mine = (waiting = new AbortController());
    const sent = user ? { user } : {};
    const asked = await send(part.dataset.url, sent);
    if (mine.signal.aborted) return;
    const { challenge, rpId, allowCredentials, userVerification } = asked;
    const publicKey = { challenge: bytes(challenge), rpId, allowCredentials: ids(allowCredentials), userVerification };
    const found = await navigator.credentials.get({ publicKey, signal: mine.signal, ...more });
    const { clientDataJSON, authenticatorData, signature, userHandle } = found.response;
    const response = {
      clientDataJSON: text(clientDataJSON),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
      userHandle: userHandle ? text(userHandle) : null,
    };
    const verified = await send(next(asked), { ...sent, credential: { id: found.id, type: found.type, response } });
    name.value = verified.user;
    for (const [field, value] of [['method', 'webauthn'], ['token', verified.token]]) {
      const input = Object.assign(document.createElement('input'), { type: 'hidden', name: field, value });
      form.append(input);
    }
    form.submit();
  }
  button.addEventListener('click', () => {
    place.textContent = '';
    verify(name.value.trim(), {}).catch((error) => say(place, error));
  });
  part.hidden = false;
  // Browsers that can offer passkeys with the names they fill in.
  PublicKeyCredential.isConditionalMediationAvailable?.().then((can) => {
    if (!can) return;
    name.autocomplete = 'username webauthn';
    verify('', { mediation: 'conditional' }).catch((error) => {
      if (!['AbortError', 'NotAllowedError', 'SecurityError'].includes(error.name)) say(place, error);
    });
  });
}

function adding(part) {
  const button = part.querySelector('button');
  const place = part.querySelector('[role=alert]');
  const label = part.querySelector('input');
  const { url, nonce, done } = part.dataset;
  async function add() {
    const asked = await send(url, { authenticatorSelection: { residentKey: 'preferred' } }, nonce);
    const { _links, ...options } = asked;
    const publicKey = {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: ids(options.excludeCredentials),
    };
    const made = await navigator.credentials.create({ publicKey });
    const response = {
      clientDataJSON: text(made.response.clientDataJSON),
      attestationObject: text(made.response.attestationObject),
      transports: made.response.getTransports?.() ?? [],
    };
    const named = label.value.trim();
    const credential = { id: made.id, type: made.type, response };
    await send(next(asked), { credential, ...(named && { label: named }) }, nonce);
    location.assign(done);
  }
  button.addEventListener('click', () => {
    place.textContent = '';
    button.disabled = true;
    add().catch((error) => say(place, error)).finally(() => { button.disabled = false; });
  });
  part.hidden = false;
}

if (window.PublicKeyCredential && navigator.credentials) {
  for (const part of document.querySelectorAll('[data-passkey="sign-in"]')) signingIn(part);
  for (const part of document.querySelectorAll('[data-passkey="add"]')) adding(part);
} else {
  for (const part of document.querySelectorAll('[data-passkey-missing]')) part.hidden = false;
}
`;
