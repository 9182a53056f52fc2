import { IsInt, IsString } from 'class-validator';

export class ItemDto {
  @IsString()
  name!: string;

  @IsInt()
  count!: number;
}
