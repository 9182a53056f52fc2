import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiExceptionFilter, AiModule, ApprovalPolicy, SuspendedTurnRepository } from '@nestor-ai/core';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { FourEyesPolicy } from './approvals/four-eyes.policy.js';
import { WaitingTurnsRepository } from './approvals/waiting-turns.repository.js';
import { UserGuard } from './auth/user.guard.js';
import { OfflineModel } from './offline.model.js';
import { PaymentsTools } from './payments.tools.js';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineModel() }),
    AiModule.forRoot({
      providers: [
        { provide: ApprovalPolicy, useClass: FourEyesPolicy },
        { provide: SuspendedTurnRepository, useClass: WaitingTurnsRepository },
      ],
    }),
  ],
  controllers: [ApprovalsController],
  providers: [
    PaymentsTools,
    ApprovalsService,
    { provide: APP_GUARD, useClass: UserGuard },
    // Answers 403, 404 or 409 when somebody may not decide, nothing waits, or it is decided already.
    { provide: APP_FILTER, useClass: AiExceptionFilter },
  ],
})
export class AppModule {}
