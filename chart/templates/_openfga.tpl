{{/* How OpenFGA reaches its database; secrets stay out of the address. */}}
{{- define "catalog.openfgaDatabase" -}}
- name: OPENFGA_DATASTORE_ENGINE
  value: postgres
{{- if .Values.openfga.postgres.enabled }}
- name: OPENFGA_DATASTORE_URI
  value: postgres://{{ include "catalog.fullname" . }}-postgres:5432/openfga?sslmode=disable
- name: OPENFGA_DATASTORE_USERNAME
  value: openfga
{{ include "catalog.secretVariable" (list "OPENFGA_DATASTORE_PASSWORD" .Values.openfga.postgres.password.secret .Values.openfga.postgres.password.key) }}
{{- else }}
{{ include "catalog.secretVariable" (list "OPENFGA_DATASTORE_URI" .Values.openfga.database.uri.secret .Values.openfga.database.uri.key) }}
{{- end }}
{{- end -}}

{{/* The pod that brings the database to the form this version needs; doing it again changes nothing. */}}
{{- define "catalog.openfgaMigration" -}}
restartPolicy: OnFailure
{{ include "catalog.podSecurity" (list . 65532) }}
containers:
  - name: migrate
    image: {{ include "catalog.image" (list .Values.openfga.image "") | quote }}
    imagePullPolicy: {{ .Values.openfga.image.pullPolicy }}
    args: [migrate, --timeout, 5m]
    {{- include "catalog.containerSecurity" . | nindent 4 }}
    env:
      {{- include "catalog.openfgaDatabase" . | nindent 6 }}
    resources:
      {{- toYaml .Values.openfga.resources | nindent 6 }}
{{- end -}}
