import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnModuleInit,
  Optional,
  type Provider,
} from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { AiExtension, type PropertySource, type Turn, type TurnObserver } from '@nestor-ai/core';
import { ChatRuns } from './chat/chat-runs.js';
import { PageCaller } from './chat/page-caller.js';
import { Previews } from './chat/previews.js';
import { AddressLog } from './http/address-log.js';
import { createInspectorController } from './http/inspector.controller.js';
import { INSPECTOR_CONTROLLER, InspectorDoor } from './http/inspector-door.guard.js';
import { InspectorToken } from './http/inspector-token.js';
import { DevelopmentFiles } from './development-files.js';
import { HostApplication } from './host-application.js';
import {
  type AiInspectorModuleOptions,
  type AiInspectorOptions,
  INSPECTOR_OPTIONS,
  isDevelopment,
} from './inspector.options.js';
import { INSPECTOR_PROPERTIES, type InspectorProperties, readInspectorProperties } from './inspector-properties.js';
import { TurnRing } from './recording/turn-ring.js';
import { SavedTests } from './saved-tests/saved-tests.js';
import { ToolRuns } from './tools/tool-runs.js';
import { ToolViews } from './tools/tool-views.js';
import { Conversations } from './view/conversations.js';
import { EarlierTurns } from './view/earlier-turns.js';
import { ShownContent } from './view/shown-content.js';
import { InspectedTurns } from './view/inspected-turns.js';
import { JournaledTurns } from './view/journaled-turns.js';
import { TurnPolicy } from './view/turn-policy.js';
import { TurnLists } from './view/turn-lists.js';
import { TurnViews } from './view/turn-view.js';

const DEFAULT_PATH = 'ai';

const PROVIDERS: readonly Provider[] = [
  DevelopmentFiles,
  HostApplication,
  TurnRing,
  InspectorToken,
  InspectorDoor,
  AddressLog,
  ShownContent,
  TurnPolicy,
  InspectedTurns,
  JournaledTurns,
  EarlierTurns,
  TurnViews,
  TurnLists,
  Conversations,
  ToolViews,
  ToolRuns,
  ChatRuns,
  Previews,
  PageCaller,
  SavedTests,
  {
    provide: INSPECTOR_PROPERTIES,
    inject: [{ token: ConfigService, optional: true }],
    useFactory: (config: PropertySource | undefined): InspectorProperties => readInspectorProperties(config),
  },
];

/** Tells AiModule that the module reads `ai.inspector.*`, and follows the turns if the page is on. */
@Injectable()
class InspectorExtension extends AiExtension {
  override readonly properties = { path: 'inspector' };

  constructor(@Optional() private readonly ring?: TurnRing) {
    super();
  }

  /** Calls that no client makes have no turn to show. */
  override observe(turn: Turn, clientName: string | undefined): TurnObserver | undefined {
    return clientName === undefined ? undefined : this.ring?.observe(turn, clientName);
  }
}

/**
 * Adds a page to the application that shows its tools and turns, runs them, and makes tests of
 * turns. The application needs `AiModule.forRoot()`.
 *
 * Without guards, the page only answers requests of the same computer that have the token of the
 * address, which the application logs when it listens. They see contents unless the property
 * `ai.inspector.content` is false; with guards, only if it is true. If `NODE_ENV` is set, and is neither `development` nor `test`, the
 * page does not exist unless `enabled` is true, and then it needs guards.
 *
 * @publicApi
 * @example
 * imports: [AiModule.forRoot(), AiInspectorModule.forRoot()]
 */
// Also if the page is turned off.
@Module({ providers: [{ provide: AiExtension, useClass: InspectorExtension }] })
export class AiInspectorModule implements OnModuleInit {
  constructor(@Optional() @Inject(INSPECTOR_OPTIONS) private readonly options: AiInspectorOptions | undefined) {}

  /** Configures the page. */
  static forRoot(options: AiInspectorModuleOptions = {}): DynamicModule {
    const { enabled = isDevelopment(), imports = [], path = DEFAULT_PATH, decorators = [], ...others } = options;
    if (!enabled) return { module: AiInspectorModule };
    const controller = createInspectorController(path, others.guards ?? [], decorators);
    const given: AiInspectorOptions = { ...others, path };
    return {
      module: AiInspectorModule,
      imports,
      controllers: [controller],
      providers: [
        ...PROVIDERS,
        { provide: INSPECTOR_OPTIONS, useValue: given },
        { provide: INSPECTOR_CONTROLLER, useValue: controller },
      ],
    };
  }

  /** @throws Error if the page has no guards outside of development */
  onModuleInit(): void {
    if (!this.options) return;
    const { guards = [] } = this.options;
    if (guards.length > 0 || isDevelopment()) return;
    throw new Error(
      `AiInspectorModule is enabled without guards, and NODE_ENV is '${process.env['NODE_ENV']}'. It runs tools and shows ` +
        'conversations: give it guards, such as AiInspectorModule.forRoot({ enabled: true, guards: [AdminGuard] }), or leave ' +
        'out enabled. If a file sets NODE_ENV, import the ConfigModule that reads it before AiInspectorModule.',
    );
  }
}
