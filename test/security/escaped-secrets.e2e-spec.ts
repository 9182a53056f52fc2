import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { AiEvents, ContentRedactor, type ContentPlace, Tool } from '@nestor-ai/core';
import { ToolAuditSink } from '@nestor-ai/audit';
import { toUIMessageStream } from '@nestor-ai/ui';
import { toolCall } from '@nestor-ai/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { startApplication } from '../nest/application.js';
import { AuditList, withAudit } from './audited.js';

const CARD = '4111111111111111';
/** The card and the name as Python writes them: JSON may spell each character as an escape. */
const ESCAPED = String.raw`{"card":"\u0034111111111111111","name":"M\u00fcller","path":"a\/b","said":"\u0022\\u0034\n"}`;
const SHOWN = String.raw`{"card":"[card]","name":"[name]","path":"a/b","said":"\"\\u0034\n"}`;

class Redactor extends ContentRedactor {
  override redact(text: string, _place: ContentPlace) {
    return text.replaceAll(CARD, '[card]').replaceAll('Müller', '[name]');
  }
}

@Injectable()
class Shop {
  readonly paid: string[] = [];

  @Tool() pay(card: string, name: string, path: string, said: string) {
    this.paid.push([card, name, path, said].join(' '));
    return ESCAPED;
  }
}

describe('a secret that a model spells with escapes', () => {
  it('is taken out of the audit, of events and of what a browser is shown; the tool gets it', async () => {
    const sink = new AuditList();
    const { app, client } = await startApplication(
      withAudit({ providers: [Shop] }, { provide: ToolAuditSink, useValue: sink }),
      [{ toolCalls: [toolCall('pay', ESCAPED)] }, 'Done.'],
      {
        providers: [{ provide: ContentRedactor, useClass: Redactor }],
      },
    );
    const events: unknown[] = [];
    app.get(AiEvents).subscribe((event) => events.push(event));
    const stream = toUIMessageStream(client.prompt('Pay').stream().events());
    const chunks = await lastValueFrom(stream.pipe(toArray()));

    expect(app.get(Shop).paid).toEqual([`${CARD} Müller a/b "\\u0034\n`]);
    expect(sink.records.map((record) => record.arguments)).toEqual([SHOWN, SHOWN]);
    for (const shown of [JSON.stringify(chunks), JSON.stringify(events)]) {
      expect(shown).toContain('[card]');
      expect(shown).not.toMatch(/4111|u0034111|Müller|u00fcller/);
    }
  });

  it('is taken out of arguments that are no JSON', async () => {
    const sink = new AuditList();
    const broken = String.raw`{"card": "\u0034111111111111111`;
    const { client } = await startApplication(
      withAudit({ providers: [Shop] }, { provide: ToolAuditSink, useValue: sink }),
      [{ toolCalls: [toolCall('pay', broken)] }, 'Done.'],
      {
        providers: [{ provide: ContentRedactor, useClass: Redactor }],
      },
    );
    await client.prompt('Pay').call().content();
    expect(sink.records.map((record) => record.arguments)).toEqual(['{"card": "[card]']);
  });
});
