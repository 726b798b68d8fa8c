import { Module } from '@nestjs/common';
import { SelectionConsumer } from './selection.consumer.ts';

@Module({ controllers: [SelectionConsumer] })
export class SelectionModule {}
