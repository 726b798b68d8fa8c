import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { topics } from '@paywright/contracts';
import type { BatchResult, ReceivedMessage } from '@paywright/messaging';
import { CommandBatchHandler } from '@paywright/write-service';

@Controller()
export class PurchaseConsumer {
  constructor(private readonly commands: CommandBatchHandler) {}

  @MessagePattern(topics.purchaseCommands)
  handle(@Payload() messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    return this.commands.handle(messages);
  }
}
