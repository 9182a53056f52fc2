import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const LONGEST = 500;
let show: (text: string) => void = () => undefined;

/** Tells users of screen readers a sentence. */
export function announce(text: string): void {
  show(text.slice(0, LONGEST));
}

/** What {@link announce} tells. */
export function Announcer(): JSX.Element {
  const [text, setText] = useState('');
  useEffect(() => {
    show = setText;
  }, []);
  return (
    <div role="status" class="hidden">
      {text}
    </div>
  );
}
