import { Body, Controller, HttpCode, Post, UnauthorizedException } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { IsString } from 'class-validator';
import { Public } from './public.decorator.js';

// Your table of users, with hashed passwords.
const USERS = [
  { id: 'ann', password: 'ann', roles: ['admin'] },
  { id: 'bob', password: 'bob', roles: [] },
];

class LoginDto {
  @IsString()
  user!: string;

  @IsString()
  password!: string;
}

@Controller('login')
export class AuthController {
  constructor(private readonly jwt: JwtService) {}

  @Public()
  @Post()
  @HttpCode(200)
  async login(@Body() { user, password }: LoginDto) {
    const found = USERS.find(({ id }) => id === user);
    if (found?.password !== password) throw new UnauthorizedException();
    return this.jwt.signAsync({ sub: found.id, roles: found.roles });
  }
}
