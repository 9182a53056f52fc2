import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { IsNotEmpty, IsString } from 'class-validator';
import { SupportService } from './support.service.js';

class QuestionDto {
  @IsString()
  @IsNotEmpty()
  question!: string;
}

@Controller('support')
export class SupportController {
  constructor(private readonly support: SupportService) {}

  @Post()
  @HttpCode(200)
  async ask(@Body() { question }: QuestionDto) {
    const response = await this.support.ask(question);
    return { answer: response?.text };
  }
}
