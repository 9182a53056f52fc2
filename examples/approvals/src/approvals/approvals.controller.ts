import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { IsNotEmpty, IsString } from 'class-validator';
import type { UserRequest } from '../auth/user.guard.js';
import { ApprovalsService } from './approvals.service.js';

class ChatDto {
  @IsString()
  @IsNotEmpty()
  message!: string;
}

class DenialDto {
  /** The model reads it. */
  @IsString()
  @IsNotEmpty()
  reason!: string;
}

@Controller()
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  @Post('chat')
  @HttpCode(200)
  chat(@Body() { message }: ChatDto, @Req() request: UserRequest) {
    return this.approvals.ask(message, request);
  }

  @Get('approvals')
  @Header('Cache-Control', 'no-store')
  list(@Req() request: UserRequest) {
    return this.approvals.list(request);
  }

  // The path names the call as well: users approve what they have seen, not what the turn has asked for since.
  @Post('approvals/:turnId/:toolCallId/approve')
  @HttpCode(200)
  approve(@Param('turnId') turnId: string, @Param('toolCallId') toolCallId: string, @Req() request: UserRequest) {
    return this.approvals.decide(turnId, { toolCallId, approved: true }, request);
  }

  @Post('approvals/:turnId/:toolCallId/deny')
  @HttpCode(200)
  deny(
    @Param('turnId') turnId: string,
    @Param('toolCallId') toolCallId: string,
    @Body() { reason }: DenialDto,
    @Req() request: UserRequest,
  ) {
    return this.approvals.decide(turnId, { toolCallId, approved: false, reason }, request);
  }

  @Delete('approvals/:turnId')
  @HttpCode(204)
  withdraw(@Param('turnId') turnId: string, @Req() request: UserRequest) {
    return this.approvals.withdraw(turnId, request);
  }
}
