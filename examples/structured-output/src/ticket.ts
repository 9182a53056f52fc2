import { ArrayMaxSize, IsArray, IsIn, IsString, MaxLength } from 'class-validator';

/** What a support ticket has, whoever writes the mail. The model is sent these rules as a JSON Schema. */
export class Ticket {
  @IsString()
  @MaxLength(60)
  title!: string;

  @IsIn(['low', 'normal', 'urgent'])
  priority!: 'low' | 'normal' | 'urgent';

  @IsArray()
  @ArrayMaxSize(5)
  @IsString({ each: true })
  products!: string[];
}
