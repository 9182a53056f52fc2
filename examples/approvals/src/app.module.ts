import { Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_GUARD } from '@nestjs/core';
import { AiSdkModule } from '@nestor-ai/ai-sdk';
import { AiModule, ApprovalPolicy } from '@nestor-ai/core';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { FourEyesPolicy } from './approvals/four-eyes.policy.js';
import { UserGuard } from './auth/user.guard.js';
import { OfflineModel } from './offline.model.js';
import { PaymentsTools } from './payments.tools.js';

@Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true }),
    AiSdkModule.forRoot({ fallback: new OfflineModel() }),
    AiModule.forRoot({
      providers: [{ provide: ApprovalPolicy, useClass: FourEyesPolicy }],
    }),
  ],
  controllers: [ApprovalsController],
  providers: [PaymentsTools, ApprovalsService, { provide: APP_GUARD, useClass: UserGuard }],
})
export class AppModule {}
