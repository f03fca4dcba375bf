import type { GatewayAnswer, GatewayRequest } from '../../../platform/gateway.ts'

export { updateChannelToolAccess, updateToolAccess } from './access.ts'

/** Answers a request by the Model Context Protocol; the first one loads what speaks it, which most servers never need. */
export async function answerMcp(request: GatewayRequest): Promise<GatewayAnswer> {
  const { answerMessage } = await import('./protocol.ts')
  return answerMessage(request)
}
