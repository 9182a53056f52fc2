import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** A registry with these packages alone, so that `nest add` installs them by name, as from npm. */
export async function serveRegistry(packages) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url);
    const found = packages.find(({ manifest }) => path === `/${manifest.name}` || path === `/${manifest.name}.tgz`);
    if (!found) response.writeHead(404).end('{}');
    else if (path.endsWith('.tgz')) response.end(found.tarball);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(describe(found)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;

  const describe = ({ manifest, tarball }) => ({
    name: manifest.name,
    'dist-tags': { latest: manifest.version },
    versions: {
      [manifest.version]: {
        ...manifest,
        dist: {
          tarball: `${url}/${manifest.name}.tgz`,
          integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
        },
      },
    },
  });

  return { url, close: () => server.close() };
}
