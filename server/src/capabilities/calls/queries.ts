import { ApiError } from '../../kernel/refusal.ts'

export async function createBigBlueButtonCall(): Promise<never> {
  throw callProviderNotConfiguredError('BigBlueButton is not configured.')
}

export async function createZoomCall(): Promise<never> {
  throw callProviderNotConfiguredError('Zoom credentials have not been configured')
}

export async function createNextcloudTalkCall(): Promise<never> {
  throw callProviderNotConfiguredError('Nextcloud Talk is not configured.')
}

export async function createConstructorGroupsCall(): Promise<never> {
  throw callProviderNotConfiguredError('Constructor Groups is not configured.')
}

export function zoomSnapshot(): Record<string, unknown> {
  return { has_zoom_token: false }
}

function callProviderNotConfiguredError(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message)
}
