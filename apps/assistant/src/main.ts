import 'reflect-metadata';
import { type DynamicModule, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ChatClient, ChatModel } from '@nestor-ai/core';
import { AppModule } from './app.module.js';
import { readArguments } from './arguments.js';
import { CatalogueModule } from './catalogue/catalogue.module.js';
import { OWN_CATALOGUE, readCatalogue } from './catalogue/read-catalogue.js';
import { CATALOGUE_QUESTIONS, questionsFor, runCatalogue } from './catalogue/run-catalogue.js';
import { runCluster, runClusterWorker } from './cluster/run-cluster.js';
import { OFFLINE_NOTICE, OfflineChatModel } from './offline-model/offline-chat-model.js';
import { runQuickStart } from './quick-start.js';
import { TelemetryModule } from './telemetry/telemetry.module.js';

const print = (line: string): void => console.log(line);

async function main(): Promise<void> {
  const { once, trace, cluster, catalogue, questions } = readArguments(process.argv.slice(2));
  if (cluster === 'worker') return runClusterWorker();
  if (cluster === 'run') return runCluster(print);
  const tools = catalogue && readCatalogue(catalogue);
  const telemetry = TelemetryModule.of({ console: trace, collector: process.env.OTEL_EXPORTER_OTLP_ENDPOINT });
  const root: DynamicModule = {
    module: class AssistantModule {},
    imports: [tools ? CatalogueModule.of(tools) : AppModule, ...telemetry],
  };
  const app = await NestFactory.create(root, {
    logger: ['warn'],
    abortOnError: false,
  });
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  app.enableShutdownHooks();
  await app.init();
  if (app.get(ChatModel) instanceof OfflineChatModel) print(OFFLINE_NOTICE);
  const chatClient = app.get(ChatClient);
  if (tools) {
    const own = catalogue === OWN_CATALOGUE ? CATALOGUE_QUESTIONS : questionsFor(tools);
    await runCatalogue(chatClient, tools, questions.length > 0 ? questions : own, print);
  } else {
    await runQuickStart(chatClient, print);
  }
  if (once) return app.close();

  const port = Number(process.env.PORT ?? 3000);
  if (!Number.isInteger(port)) throw new Error(`PORT must be an integer, but is '${process.env.PORT}'.`);
  // The inspector logs its address.
  app.useLogger(['log', 'warn']);
  await app.listen(port);
  print(`\nListening on http://localhost:${port}. Try:`);
  print(
    `  curl -s localhost:${port}/chat -H 'content-type: application/json' -d '{"message":"What is the weather in Paris?"}'`,
  );
  print(`  curl -N 'localhost:${port}/chat/stream?message=What+is+the+name+of+customer+42%3F'`);
  print('In the inspector, ask to delete customer 43: a human approves it.');
  print(`MCP clients find its tools at http://localhost:${port}/mcp`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
