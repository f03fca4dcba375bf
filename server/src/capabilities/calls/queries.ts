import { ApiError } from '../../kernel/refusal.ts'

export async function createBigBlueButtonCall(): Promise<never> {
  throw notConfigured('BigBlueButton is not configured.')
}

export async function createZoomCall(): Promise<never> {
  throw notConfigured('Zoom credentials have not been configured')
}

export async function createNextcloudTalkCall(): Promise<never> {
  throw notConfigured('Nextcloud Talk is not configured.')
}

export async function createConstructorGroupsCall(): Promise<never> {
  throw notConfigured('Constructor Groups is not configured.')
}

export function zoomSnapshot(): Record<string, unknown> {
  return { has_zoom_token: false }
}

function notConfigured(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message)
}
