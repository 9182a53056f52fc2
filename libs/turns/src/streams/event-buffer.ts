import { encodeEvent, type RecordedEvent } from './recorded-event.js';

/** A run of text that may still grow. */
interface OpenText {
  readonly type: 'text' | 'reasoning';
  readonly round: number;
  readonly toolName?: string;
  text: string;
}

/** The events that are not in the log yet, as JSON. Pieces of text that follow each other are one. */
export class EventBuffer {
  #events: string[] = [];
  #open: OpenText | undefined;
  #characters = 0;

  /** How much memory the events take, in characters. */
  get characters(): number {
    return this.#characters;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0 && !this.#open;
  }

  add(event: RecordedEvent): void {
    if (event.type !== 'text' && event.type !== 'reasoning') {
      this.#close();
      this.#push(encodeEvent(event));
      return;
    }
    const { type, text, round } = event;
    const toolName = event.type === 'text' ? event.toolName : undefined;
    if (this.#open?.type !== type || this.#open.round !== round || this.#open.toolName !== toolName) {
      this.#close();
      this.#open = { type, round, text: '', ...(toolName !== undefined && { toolName }) };
    }
    this.#open.text += text;
    this.#characters += text.length;
  }

  /** Removes all events and returns them. */
  take(): readonly string[] {
    this.#close();
    const events = this.#events;
    this.#events = [];
    this.#characters = 0;
    return events;
  }

  #close(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    this.#characters -= open.text.length;
    this.#push(encodeEvent(open));
  }

  #push(event: string): void {
    this.#events.push(event);
    this.#characters += event.length;
  }
}
