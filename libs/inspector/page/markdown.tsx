import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { LongText } from './parts.js';

/** Longer answers are shown as they are. */
const MAX_LENGTH = 50_000;
/** Deeper lists and quotes are shown as they are. */
const MAX_DEPTH = 20;

/** The answer of a model. Only elements of this file come out of it: no HTML, no images, no links to click. */
export function Markdown({ text, label }: { text: string; label: string }): JSX.Element {
  if (text.length > MAX_LENGTH) return <LongText text={text} label={label} />;
  return (
    <div class="markdown" role="group" aria-label={label}>
      {blocks(lexer(text), 0)}
    </div>
  );
}

function blocks(tokens: readonly Token[] = [], depth: number): ComponentChildren {
  return tokens.map((token, index) => <Block key={index} token={token} depth={depth} />);
}

function Block({ token, depth }: { token: Token; depth: number }): JSX.Element | null {
  if (depth > MAX_DEPTH) return <p>{token.raw}</p>;
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'code':
      return <LongText text={(token as Tokens.Code).text} label="Code" isCode />;
    case 'heading':
      return (
        <p>
          <strong>{inline(token.tokens, depth)}</strong>
        </p>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens, depth + 1)}</blockquote>;
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      const entries = items.map((item, index) => <li key={index}>{blocks(item.tokens, depth + 1)}</li>);
      return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>;
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return (
        <div class="scroll" tabIndex={0} role="region" aria-label="Table of the answer">
          <table>
            <thead>
              <tr>
                {header.map((cell, index) => (
                  <th key={index} scope="col">
                    {inline(cell.tokens, depth)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at}>{inline(cell.tokens, depth)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    }
    case 'text':
    case 'paragraph':
      return <p>{inline((token as Tokens.Paragraph).tokens ?? [token], depth)}</p>;
    default:
      return <p>{token.raw}</p>;
  }
}

function inline(tokens: readonly Token[] = [], depth: number): ComponentChildren {
  return tokens.map((token, index) => <Inline key={index} token={token} depth={depth} />);
}

function Inline({ token, depth }: { token: Token; depth: number }): JSX.Element {
  const inner = (): ComponentChildren =>
    depth > MAX_DEPTH ? token.raw : inline((token as Tokens.Generic).tokens, depth + 1);
  switch (token.type) {
    case 'strong':
      return <strong>{inner()}</strong>;
    case 'em':
      return <em>{inner()}</em>;
    case 'del':
      return <del>{inner()}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'escape':
      return <>{(token as Tokens.Escape).text}</>;
    case 'text':
      return <>{token.tokens ? inner() : token.raw}</>;
    case 'link':
    case 'image': {
      const { href, text } = token as Tokens.Link;
      return <>{text === href || text === '' ? href : `${text} (${href})`}</>;
    }
    default:
      return <>{token.raw}</>;
  }
}
