import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { Finder } from './finder.tools.js';

const TYPES = Symbol.for('nestor.ClassTypes');

/** Prints what the plugin has written into the class, with the names of the classes. */
async function bootstrap(): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const factory: unknown = Reflect.get(app.get(Finder).constructor, TYPES);
  const types = typeof factory === 'function' ? factory() : undefined;
  const classes = types?.classes?.map((reference: () => { name: string }) => reference().name);
  process.stdout.write(JSON.stringify({ ...types, classes }));
}

void bootstrap();
