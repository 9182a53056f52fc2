import { Module } from '@nestjs/common';
import { Finder } from './finder.tools.js';

@Module({ providers: [Finder] })
export class AppModule {}
