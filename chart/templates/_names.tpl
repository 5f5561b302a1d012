{{- define "catalog.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Short enough for every suffix that follows. */}}
{{- define "catalog.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "catalog.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "catalog.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What selects the pods of a component: (list $ "server"). Never anything that changes with a version. */}}
{{- define "catalog.selector" -}}
app.kubernetes.io/name: {{ include "catalog.name" (index . 0) }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "catalog.labels" -}}
{{ include "catalog.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* An image by tag or, where there is one, by digest: (list image default-tag). */}}
{{- define "catalog.image" -}}
{{- $image := index . 0 -}}
{{- $tag := default (index . 1) $image.tag -}}
{{- $image.repository -}}:{{- $tag -}}{{- if $image.digest -}}@{{ $image.digest }}{{- end -}}
{{- end -}}

{{- define "catalog.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "catalog.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "catalog.openfgaUrl" -}}
{{- if .Values.openfga.enabled -}}
http://{{ include "catalog.fullname" . }}-openfga:8080
{{- else -}}
{{- .Values.access.authorization.url -}}
{{- end -}}
{{- end -}}
