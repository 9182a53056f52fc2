import { IsString, Matches, MaxLength } from 'class-validator';

/** The body of `POST /chat` and the query of `GET /chat/stream`. */
export class ChatRequest {
  @IsString()
  @Matches(/\S/, { message: 'message should not be empty' })
  @MaxLength(4000)
  message!: string;
}
