import { createOnce, update } from '../project.js';
import type { Tree } from '../tree.js';

const KEY = 'AI_MODEL_API_KEY';
/** For your machine only: .env is not in Git. */
const DEVELOPMENT = `# The log has the messages and stacks of tools that fail\nNODE_ENV=development\n`;
const LINES = `# The key of your model's provider\n${KEY}=\n`;

/** Writes .env.example and .env, and keeps .env out of Git. @returns what is left to do */
export function addEnvFiles(tree: Tree): string[] {
  appendLines(tree, '.env.example', LINES, (content) => content.includes(KEY));
  createOnce(tree, '.gitignore', 'node_modules\ndist\n.env\n');
  appendLines(tree, '.gitignore', '.env\n', (content) => /^\/?\.env\*?\s*$|^\*\.env\s*$/m.test(content));
  // Your .env is yours: an existing one stays as it is.
  createOnce(tree, '.env', `${LINES}${DEVELOPMENT}`);
  return tree.readText('.env').includes(KEY)
    ? []
    : [`Add ${KEY}=<your key> to .env: the file exists, so it was left as it is.`];
}

function appendLines(tree: Tree, path: string, lines: string, isThere: (content: string) => boolean): void {
  const content = tree.read(path)?.toString();
  if (content === undefined) tree.create(path, lines);
  else if (!isThere(content))
    update(tree, path, `${content}${content === '' || content.endsWith('\n') ? '' : '\n'}${lines}`);
}
