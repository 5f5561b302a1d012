{{/* The settings of servers and workers that are no secrets, by environment name. */}}
{{- define "catalog.settings" -}}
SERVER_ADDRESS: {{ .Values.server.address | quote }}
SERVER_PORT: "2333"
{{- with .Values.storage }}
{{- if .volume.enabled }}
LANCE_REST_ROOT: /var/lib/catalog/lance
LANCE_CONTROL_ROOT: /var/lib/catalog/control
LANCE_STORAGE_ALLOWED_ROOTS: {{ join "," (default (list "/var/lib/catalog") .allowedRoots) | quote }}
{{- else }}
LANCE_REST_ROOT: {{ .root | quote }}
{{- with .controlRoot }}
LANCE_CONTROL_ROOT: {{ . | quote }}
{{- end }}
LANCE_STORAGE_ALLOWED_ROOTS: {{ join "," (default (list .root) .allowedRoots) | quote }}
LANCE_S3_REGION: {{ .s3.region | quote }}
LANCE_S3_VIRTUAL_HOSTED: {{ .s3.virtualHosted | quote }}
LANCE_S3_CHECKSUMS: {{ .s3.checksums | quote }}
{{- with .s3.endpoint }}
LANCE_S3_ENDPOINT: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .allowedEndpoints }}
LANCE_STORAGE_ALLOWED_ENDPOINTS: {{ join "," . | quote }}
{{- end }}
{{- with .reservedBuckets }}
LANCE_RESERVED_BUCKETS: {{ join "," . | quote }}
{{- end }}
{{- end }}
{{- with .Values.access }}
LANCE_ALLOW_UNAUTHENTICATED: {{ .unauthenticated | quote }}
{{- if .oidc.enabled }}
LANCE_OIDC_ENABLED: "true"
LANCE_OIDC_ISSUER: {{ .oidc.issuer | quote }}
LANCE_OIDC_AUDIENCE: {{ .oidc.audience | quote }}
{{- end }}
{{- if .apiKeys.enabled }}
LANCE_API_KEYS_ENABLED: "true"
{{- end }}
{{- with .administrator }}
LANCE_BOOTSTRAP_ADMINISTRATOR: {{ . | quote }}
{{- end }}
{{- range .bootstrapKeys }}
LANCE_BOOTSTRAP_KEYS_{{ upper .name }}_SUBJECT: {{ .subject | quote }}
{{- end }}
{{- if .authorization.enabled }}
LANCE_FGA_ENABLED: "true"
LANCE_FGA_API_URL: {{ include "catalog.openfgaUrl" $ | quote }}
{{- with .authorization.storeId }}
LANCE_FGA_STORE_ID: {{ . | quote }}
{{- end }}
{{- with .authorization.modelId }}
LANCE_FGA_MODEL_ID: {{ . | quote }}
{{- end }}
{{- with .authorization.storeName }}
LANCE_FGA_STORE_NAME: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
