const element = (id) => document.getElementById(id);

async function send(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json', 'x-user': element('user').value },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? {} : JSON.parse(text);
}

/** Does something, shows the reply, and shows again what waits. */
async function act(method, path, body) {
  const { answer, waits, message } = await send(method, path, body);
  element('reply').textContent = waits ? 'This waits for approval.' : (answer ?? message ?? 'Done.');
  await refresh();
}

async function refresh() {
  const turns = await send('GET', '/approvals');
  const items = turns.flatMap(({ id, requester, calls }) => calls.map((call) => toItem(id, requester, call)));
  element('waiting').replaceChildren(...items);
}

function toItem(turnId, requester, call) {
  const item = document.createElement('li');
  const text = document.createElement('span');
  // `textContent`, not `innerHTML`: a model has written the arguments.
  text.textContent = `${requester}: ${call.name} ${call.arguments}`;
  const path = `/approvals/${turnId}/${call.id}`;
  item.append(
    text,
    button('Approve', () => act('POST', `${path}/approve`), 'approve'),
    button('Deny', () => act('POST', `${path}/deny`, { reason: 'Not now' })),
    button('Withdraw', () => act('DELETE', `/approvals/${turnId}`)),
  );
  return item;
}

function button(label, onClick, className = '') {
  const made = document.createElement('button');
  made.append(label);
  made.className = className;
  made.addEventListener('click', onClick);
  return made;
}

element('user').addEventListener('change', () => void refresh());
element('chat').addEventListener('submit', (event) => {
  event.preventDefault();
  void act('POST', '/chat', { message: element('message').value });
});
await refresh();
