import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { Transform, Type } from 'class-transformer';

const LONGEST_TEXT = 1_000_000;
const LONGEST_NAME = 200;

/** Null is as good as nothing, also for the code that reads the body. */
const WithoutNull = Transform(({ value }): unknown => value ?? undefined);
const MayBeMissing = (): PropertyDecorator => applyDecorators(IsOptional(), WithoutNull);
const IsText = (longest: number): PropertyDecorator => applyDecorators(IsString(), MaxLength(longest));
const MayBeText = (longest: number): PropertyDecorator => applyDecorators(MayBeMissing(), IsText(longest));
/** An object with names that class-transformer leaves out: those of methods of every object, such as `toString`. */
const AsSent = Transform(({ obj, key }) => (obj as Record<string, unknown>)[key] ?? undefined);
const IsSentObject = (): PropertyDecorator => applyDecorators(IsObject(), AsSent);
const MayBeSentObject = (): PropertyDecorator => applyDecorators(MayBeMissing(), IsSentObject());
const AreNames = (): PropertyDecorator =>
  applyDecorators(MayBeMissing(), IsArray(), ArrayMaxSize(1000), IsString({ each: true }));

/** What every request that runs something may have. */
export class RunBody {
  /** The user to act as. Default: the user of the page. */
  @MayBeText(LONGEST_NAME)
  as?: string;
}

/** Asks what a model would be sent. */
export class PreviewBody extends RunBody {
  @IsText(LONGEST_NAME)
  client!: string;
}

/** A question in the chat. */
export class ChatBody extends PreviewBody {
  @IsNotEmpty()
  @IsText(LONGEST_TEXT)
  message!: string;

  /** The turn before, in the same conversation. */
  @MayBeText(LONGEST_NAME)
  after?: string;

  /** The conversation. The page makes the id. */
  @Matches(/^[\w-]{1,60}$/)
  conversation!: string;
}

/** A decision about a call that waits. */
export class DecisionBody {
  @IsText(LONGEST_NAME)
  toolCallId!: string;

  @IsBoolean()
  approved!: boolean;

  @MayBeText(LONGEST_TEXT)
  reason?: string;

  @MayBeSentObject()
  input?: Record<string, unknown>;

  /** Other arguments than those of the model, as JSON text. */
  @MayBeText(LONGEST_TEXT)
  arguments?: string;
}

/** Decisions about calls of a turn. None: a turn that has failed goes on. */
export class DecisionsBody extends RunBody {
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => DecisionBody)
  decisions!: DecisionBody[];
}

/** Runs a turn again from one of its model calls. */
export class RetryBody extends RunBody {
  /** The index of the model call. */
  @IsInt()
  @Min(0)
  modelCall!: number;

  /** Other results of tool calls before it, by call id. */
  @MayBeSentObject()
  results?: Record<string, string>;

  /** Other arguments of the tool calls that it asked for, as JSON text, by call id. They run without asking the model. */
  @MayBeSentObject()
  arguments?: Record<string, string>;

  /** Another question. */
  @IsNotEmpty()
  @MayBeText(LONGEST_TEXT)
  question?: string;

  /** Other instructions; empty for those that the client has now. */
  @MayBeText(LONGEST_TEXT)
  instructions?: string;

  /** Other settings, such as the model and the temperature, in place of those of the model call. */
  @MayBeSentObject()
  settings?: Record<string, unknown>;
}

/** Runs a tool. */
export class ToolRunBody extends RunBody {
  @IsText(LONGEST_NAME)
  tool!: string;

  @IsSentObject()
  arguments!: Record<string, unknown>;

  /** The waiting call that was approved, or declined. */
  @MayBeText(10_000)
  approvalId?: string;

  @MayBeMissing()
  @IsBoolean()
  approved?: boolean;

  /** What the tool has asked for. */
  @MayBeSentObject()
  input?: Record<string, unknown>;
}

/** Runs a turn again as its test would. */
export class ReplayBody extends RunBody {
  /** The tools whose recorded results are used. */
  @AreNames()
  recorded?: string[];

  /** The tools that may change something, and run again. */
  @AreNames()
  repeated?: string[];
}

/** Where the test finds the root module. */
export class ModuleBody {
  @Matches(/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u)
  @MaxLength(LONGEST_NAME)
  name!: string;

  @IsNotEmpty({ message: 'Say where the test imports the module from.' })
  @IsText(1000)
  from!: string;
}

/** Saves a turn as a test. */
export class SaveTestBody extends ReplayBody {
  @IsText(LONGEST_NAME)
  name!: string;

  @Matches(/^(?:jest|vitest)$/)
  runner!: 'jest' | 'vitest';

  /** Whether to write into the folder of tests. Default: the files are returned. */
  @MayBeMissing()
  @IsBoolean()
  write?: boolean;

  /** Default: the module that the inspector finds. */
  @MayBeMissing()
  @ValidateNested()
  @Type(() => ModuleBody)
  module?: ModuleBody;

  /** Whether to replace files that exist. */
  @MayBeMissing()
  @IsBoolean()
  overwrite?: boolean;
}
